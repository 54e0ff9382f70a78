import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/process.ts'
import { figures, type Options } from './figures.ts'
import type { Row } from './row.ts'
import { pinned } from './servers.ts'

/** Prints a table of ratios and writes it to bench/results.md. */

export async function bench(options: Options): Promise<boolean> {
  const began = Date.now()
  const rows = await figures(options)
  const text = format(rows, options, Math.round((Date.now() - began) / 1000))
  options.print(`\n${text}`)
  if (options.only === '') writeFileSync(join(root, 'bench/results.md'), text)
  return rows.every(({ isMet }) => isMet !== false)
}

function format(rows: readonly Row[], { rounds, seconds }: Options, took: number): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const verdict = (isMet: boolean | undefined) => (isMet === undefined ? '' : isMet ? 'yes' : '**no**')
  const [cpu] = cpus()
  const version = (name: string) =>
    (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version
  const versions = ['express', 'autocannon'].map((name) => `${name} ${version(name)}`)
  return `# The cost of durability, checks and logging

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Machine: ${cpus().length} cores of ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; Node ${process.versions.node}; ${versions.join(', ')}.
16 connections over loopback, ${pinned ? 'under load the servers use one core and the load the other' : 'no process is pinned to a core'}; each figure is the median of ${rounds} interleaved rounds of ${seconds} s, with minimum and maximum. ${took} s in total.

${line(['Work', 'Sandbank', 'Compared with', 'Ratio', 'Target', 'Met'])}
|---|---|---|---|---|---|
${rows.map(({ work, sandbank, peer, result, target, isMet }) => line([work, sandbank, peer, result, target, verdict(isMet)])).join('\n')}

Sandbank authenticates, traces, validates and logs every request, and stores every change. The clock is frozen, so that only
requests are measured.
`
}
