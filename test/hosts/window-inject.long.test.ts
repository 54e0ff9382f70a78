import { describe, expect, it } from 'vitest'
import { injections } from '../../src/renderer/forms/injections.ts'
import { goTo, IN_BROWSER, openDemo, visit } from '../support/window.ts'

/** Every template of Inject, in the built window and a real browser. */

describe('Inject', IN_BROWSER, () => {
  it('each template is accepted twice, one after the other, in the same world', async (context) => {
    const page = await visit(context, (await openDemo()).gui, { at: '#/inject' })
    const refused: string[] = []
    for (const { id, title } of injections) {
      await goTo(page, `#/inject?kind=${id}`)
      await page.getByRole('heading', { name: title, exact: true }).waitFor()
      for (const button of ['Inject', 'Inject again']) {
        const sent = page.waitForResponse((response) => response.url().endsWith('/exchanges.send'))
        await page.getByRole('button', { name: button, exact: true }).click()
        const { status, did } = (await (await sent).json()) as { status: number; did: string }
        if (status >= 400) refused.push(`${title}: ${status} ${did}`)
        await page.getByRole('button', { name: 'Inject again', exact: true }).waitFor()
      }
    }
    const forced = 'VRN creation fails: 422 Failed to create VRNs: its name begins with "fail"'
    expect(refused).toEqual([forced, forced])
  })
})
