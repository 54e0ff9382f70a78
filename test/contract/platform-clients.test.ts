import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findPlatformClient, needsOf, platformClients } from '../../src/api/contract/platform-clients.ts'

it("docs/connect.md has the table of the platform's own clients", () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/connect.md'), 'utf8')
  const rows = platformClients.map((client) => `| ${client.name} | ${client.does} | ${needsOf(client)} |`)
  expect(page).toContain(`| Client | What it does | What it needs |\n|---|---|---|\n${rows.join('\n')}\n`)
})

it.each([
  ['127.0.0.1, speakeasy-sdk/java 0.1.15 2.731.6 0.1.0 com.example.sdk', 'Java SDK'],
  ['127.0.0.1, speakeasy-sdk/typescript 0.3.2 2.698.4 0.1.0 @example/sdk', 'TypeScript SDK'],
  ['127.0.0.1, speakeasy-sdk/csharp 0.1.0 2.731.6 0.1.0 Example.Sdk', '.NET SDK'],
  ['127.0.0.1, OpenAPI-Generator/1.1.0/go', 'Go and JavaScript clients of before'],
  ['127.0.0.1, OpenAPI-Generator/1.0.0/go', undefined],
  ['127.0.0.1, curl/8.7.1', undefined],
])('a client is recognized by its user agent: %s', (caller, name) => {
  expect(findPlatformClient({ caller })?.name).toBe(name)
})
