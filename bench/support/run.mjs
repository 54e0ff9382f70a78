// How each of the commands here begins: what is missing is installed and built, the options are read, and the module
// beside it, which is TypeScript, is loaded as the other scripts load the sources.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, prepare, root } from '../../scripts/prepare.mjs'

export async function load(path) {
  prepare()
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport(join(root, 'bench', path), { root, configFile: false, logLevel: 'error' })
  return module
}

/** `defaults` names every option and what it is when left out; numbers stay numbers. */
export function options(defaults) {
  const described = Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }])
  try {
    const { values } = parseArgs({ options: Object.fromEntries(described) })
    return Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        typeof value === 'number' ? count(name, values[name]) : values[name],
      ]),
    )
  } catch (error) {
    fail(error.message)
  }
}

function count(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: a whole number is expected, and ${text} was given`)
  return Number(text)
}
