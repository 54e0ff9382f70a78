// The common start of the commands in bench/: installs and builds what is missing, reads the options, loads the TypeScript module.
import { parseArgs } from 'node:util'
import { fail, prepare } from '../../scripts/prepare.mjs'

export async function load(path) {
  prepare()
  const { load } = await import('../../scripts/generated.mjs')
  return load('bench', path)
}

/** `defaults` has every option and its default. An option with a number as default must be a whole number. */
export function readOptions(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }])
  try {
    const { values } = parseArgs({ options: Object.fromEntries(options) })
    return Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        typeof value === 'number' ? parseCount(name, values[name]) : values[name],
      ]),
    )
  } catch (error) {
    fail(error.message)
  }
}

function parseCount(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: a whole number is expected, ${text} was found`)
  return Number(text)
}
