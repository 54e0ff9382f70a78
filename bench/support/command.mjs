// The common start of the commands in bench/: installs and builds what is missing, reads the options, loads the TypeScript module.
import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { fail, prepare } from '../../scripts/prepare.mjs'

export async function load(path) {
  prepare()
  const { load } = await import('../../scripts/generated.mjs')
  return load('bench', path)
}

/** `defaults` has every option and its default. One with a number must be a whole number, one with a boolean takes no value. */
export function readOptions(defaults) {
  const typeOf = (value) => (typeof value === 'boolean' ? 'boolean' : 'string')
  const options = Object.entries(defaults).map(([name, value]) => [name, { type: typeOf(value) }])
  try {
    const { values } = parseArgs({ options: Object.fromEntries(options) })
    for (const [name, text] of Object.entries(values))
      if (typeof defaults[name] === 'number') values[name] = parseCount(name, text)
    return { ...defaults, ...values }
  } catch (error) {
    fail(error.message)
  }
}

function parseCount(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`--${name}: a whole number is expected, ${text} was found`)
  return Number(text)
}

/** Runs a command with these options in a process of its own; returns what it sends. */
export function startWorker(file, options) {
  const child = fork(
    file,
    Object.entries(options).flatMap(([name, value]) =>
      typeof value === 'boolean' ? (value ? [`--${name}`] : []) : [`--${name}`, String(value)],
    ),
  )
  return new Promise((resolve, reject) => {
    child.on('message', resolve)
    child.on('close', (code) => reject(new Error(`A worker ended with ${code}`)))
  })
}
