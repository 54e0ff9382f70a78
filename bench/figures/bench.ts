import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/host.ts'
import { figures, type Options, type Row } from './figures.ts'
import { pinned } from './servers.ts'

/** One table of ratios, on the screen and in bench/results.md. */

export async function bench(options: Options): Promise<boolean> {
  const began = Date.now()
  const rows = await figures(options)
  const text = written(rows, options, Math.round((Date.now() - began) / 1000))
  options.say(`\n${text}`)
  writeFileSync(join(root, 'bench/results.md'), text)
  return rows.every(({ met }) => met !== false)
}

function written(rows: readonly Row[], { rounds, seconds }: Options, took: number): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const verdict = (met: boolean | undefined) => (met === undefined ? '' : met ? 'yes' : '**no**')
  const [cpu] = cpus()
  const version = (name: string) =>
    (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version
  const versions = ['express', 'json-server', 'autocannon'].map((name) => `${name} ${version(name)}`)
  return `# What it costs to be durable, checked and logged

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Machine: ${cpus().length} cores of ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}; Node ${process.versions.node}; ${versions.join(', ')}.
16 connections over loopback, ${pinned ? 'under load servers on one core and the load on the other' : 'nothing pinned to a core'}; each figure is the median of ${rounds} interleaved rounds of ${seconds} s, with the least and the most of them. ${took} s in all.

${line(['Work', 'Sandbank', 'Against', 'Ratio', 'Target', 'Met'])}
|---|---|---|---|---|---|
${rows.map(({ work, ours, against, result, target, met }) => line([work, ours, against, result, target, verdict(met)])).join('\n')}

Every request of ours is signed, traced with an id of its own, validated, logged and, where it changes something, kept.
The clock is frozen, so that nothing but the requests is measured.
`
}
