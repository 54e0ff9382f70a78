import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { insert } from '../../src/main/commands/agents.ts'

/** What `sandbank agents` prints. test/hosts/agents.test.ts runs its commands. */

const text = readFileSync('resources/agents.md', 'utf8').trimEnd()

it('has at most 8 kB and ten traps, and is part of the package', () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192)
  expect(text.match(/^\d+\. \*\*/gm)?.slice(-10)).toHaveLength(10)
  expect(text).toMatch(/^10\. \*\*/m)
  expect(text).not.toMatch(/^11\. /m)
  expect(packageJson.files).toContain('resources/agents.md')
})

it('comes to the end of AGENTS.md, and takes its own place the next time', () => {
  const once = insert('# Mine\n\nTabs.\n', 'old text')
  expect(once).toBe('# Mine\n\nTabs.\n\n<!-- sandbank agents -->\nold text\n<!-- end of sandbank agents -->\n')
  const more = `${once}\n# After\n`
  const twice = insert(more, text)
  expect(twice).toBe(more.replace('old text', () => text))
  expect(insert(twice, text)).toBe(twice)
  expect(insert('', text)).toMatch(/^<!-- sandbank agents -->\n# Payments/)
})

it('refuses a file that has only one of its marks', () => {
  expect(() => insert('<!-- sandbank agents -->\n', text)).toThrow('has only one of the marks')
})
