// Copied into the tree of a mutation run. SANDBANK_DEFECT is the number of the one planted defect. With SANDBANK_REACHED each site that
// runs is noted in that file once, also by child processes.
const env = globalThis.process?.env ?? {}
const planted = env.SANDBANK_DEFECT === undefined ? -1 : Number(env.SANDBANK_DEFECT)
const reached = new Set()

/** One test file after the other runs in this process. */
globalThis.sandbankReached = { phase: 'run', clear: () => reached.clear() }

export const isPlanted = env.SANDBANK_REACHED
  ? (number) => {
      const { phase } = globalThis.sandbankReached
      const note = `${phase} ${number};\n`
      if (!reached.has(note))
        try {
          process.getBuiltinModule('node:fs').appendFileSync(process.env.SANDBANK_REACHED, note)
          reached.add(note)
        } catch {
          // A test lets the disk of this process fail.
        }
      return false
    }
  : (number) => number === planted
