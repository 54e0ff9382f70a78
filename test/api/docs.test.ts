import { join } from 'node:path'
import { expect } from 'vitest'
import { it, startSandbox } from '../support/sandbox.ts'

/** `/llms.txt` and the Markdown of the pages, which need no key. */

const docs = join(import.meta.dirname, '../../docs')
const fetchText = async (address: string) => {
  const response = await fetch(address)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

it('llms.txt says what it is, how to start, and lists each page with its title; every page is served', async () => {
  const sandbox = await startSandbox({ docs })
  const { origin } = new URL(sandbox.api)
  const { status, type, text } = await fetchText(`${origin}/llms.txt`)
  expect({ status, type }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
  expect(text.length).toBeLessThanOrEqual(8_000)
  expect(text).toMatch(/^# Sandbank\n\n> /)
  expect(text).toContain('npx sandbank serve')
  const pages = [...text.matchAll(/^- \[(.+)\]\((\/docs\/[\w-]+\.md)\): (.+)$/gm)]
  expect(pages.length).toBeGreaterThan(15)
  for (const [, title, path, about] of pages) {
    const page = await fetchText(origin + path)
    expect(page).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' })
    expect(page.text).toContain(`# ${title}\n`)
    expect(about!.length, path).toBeGreaterThan(15)
  }
  for (const [, path] of text.matchAll(/\]\((\/[^)]+)\)/g)) expect((await fetch(origin + path)).status, path).toBe(200)
})

it('a page is served in every world, and no other file is', async () => {
  const sandbox = await startSandbox({ docs })
  await sandbox.worlds.create({ name: 'branch' })
  const { origin } = new URL(sandbox.api)
  expect(await fetchText(`${origin}/worlds/branch/docs/control.md`)).toMatchObject({ status: 200 })
  for (const path of ['nothing.md', 'images', '..%2Fpackage.json', '..%2FREADME.md', 'control'])
    expect((await fetchText(`${origin}/docs/${path}`)).status, path).toBe(404)
})

it('a sandbox without pages says so', async () => {
  const { origin } = new URL((await startSandbox()).api)
  expect((await fetchText(`${origin}/docs/control.md`)).text).toContain('/llms.txt lists the pages')
  expect((await fetchText(`${origin}/llms.txt`)).status).toBe(200)
})
