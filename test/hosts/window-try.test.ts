import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import {
  addressHas,
  button,
  clickButton,
  focusIsOn,
  goTo,
  IN_BROWSER,
  openDemo,
  press,
  sees,
  visit,
} from '../support/window.ts'

/** What a change would do, before it is made, in the built window and a real browser. */

const tried = (page: Page, what: string) => page.getByRole('dialog', { name: `Try it: ${what}` })
const RECORDS = 'Payments and other records'
const part = (dialog: ReturnType<typeof tried>, name: string) => dialog.getByRole('region', { name })

describe('a change that is tried', IN_BROWSER, () => {
  it('an operator tries a decision and what follows, and an advance by a key: both say what would change, and nothing does', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const { seq } = await call(sandbox, 'world.describe', {})
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await clickButton(page, 'Try it: Approve')
    const approving = tried(page, 'Approve')
    await sees(part(approving, RECORDS), 'pending')
    expect(await part(approving, 'Balances').count()).toBe(0)
    await approving.getByLabel('until idle').check()
    await sees(part(approving, 'Balances'), /^\+[\d,]+\.\d\d$/)
    await sees(part(approving, RECORDS), 'settled')
    await press(page, 'Escape')
    await approving.waitFor({ state: 'detached' })

    await clickButton(page, 'Deny…')
    await page.getByLabel(/denied_reason/).selectOption('unauthorized_credit')
    await clickButton(page, 'Try it: Deny')
    await sees(part(tried(page, 'Deny'), RECORDS), 'authorization_denied')
    await press(page, 'Escape')

    await button(page, '1 business day').focus()
    await press(page, 't')
    await sees(tried(page, 'Advance 1 business day'), /^Clock/)
    await press(page, 'Escape')
    await tried(page, 'Advance 1 business day').waitFor({ state: 'detached' })
    expect((await call(sandbox, 'world.describe', {})).seq).toBe(seq)
  })

  it('a developer tries a request in a dialog, which stays open, and one that would be refused', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    await clickButton(page, 'Approve for the Client…')
    const form = page.getByRole('dialog', { name: 'Approve for the Client' })
    await clickButton(form, 'Try it: Approve for the Client')
    const approving = tried(page, 'Approve for the Client')
    await sees(part(approving, RECORDS), 'pending')
    await press(page, 'Escape')
    await approving.waitFor({ state: 'detached' })
    expect(await form.isVisible()).toBe(true)
    await focusIsOn(button(form, 'Try it: Approve for the Client'))
    const refused = await call(sandbox, 'exchanges.send', {
      method: 'POST',
      path: '/customers',
      body: '{"customer_type":"x"}',
    })
    await goTo(page, `#/requests/${refused.uid}`)
    await press(page, 'e')
    await clickButton(page, 'Try it: Send')
    await sees(tried(page, 'Send'), '400')
    await sees(tried(page, 'Send'), 'No differences.')
  })
})

describe('a state, an event or an error that is looked for', IN_BROWSER, () => {
  it('a tester reaches a state of a diagram in this world and undoes it, and saves the steps to an error as a scenario', async (context) => {
    const sandbox = await openDemo()
    const { uid } = await receiveWireToApprove(sandbox)
    const page = await visit(context, sandbox.gui, { at: `#/transactions/${uid}` })
    const status = async () => (await call(sandbox, 'records.get', { collection: 'transactions', uid })).status
    await clickButton(page, 'All states')
    await button(page, 'Reach settled').first().press('Enter')
    const way = page.getByRole('dialog', { name: 'Reach settled' })
    await sees(part(way, 'Balances'), /^\+[\d,]+\.\d\d$/)
    expect(await way.getByRole('list', { name: 'Steps' }).getByRole('listitem').count()).toBeGreaterThan(0)
    expect(await status()).toBe('authorization_pending')
    await clickButton(way, 'Apply')
    await sees(way, /^Reached/)
    expect(await status()).toBe('settled')
    await clickButton(way, 'Undo the steps')
    await expect.poll(status).toBe('authorization_pending')
    await press(page, 'Escape')

    await goTo(page, '#/reference/errors')
    await button(page, 'Reach error=3006').click()
    await clickButton(page.getByRole('dialog', { name: 'Reach error=3006' }), 'Save as scenario')
    await addressHas(page, /#\/scenarios\/reach-error-3006/)
    await sees(page, /The way to error=3006/)
    for (const [at, goal] of [
      ['states', 'customers=active'],
      ['events', 'event=transfers.created'],
    ]) {
      await goTo(page, `#/reference/${at}`)
      await button(page, `Reach ${goal}`).first().waitFor()
    }
  })
})
