// npm run mutate -- --defects 200 --seed S --workers 2: plants single defects in src/api, each in turn, and lists those that no test
// notices. The same seed plants the same defects. What was noticed stays in out/mutate/results.jsonl and is not tried again, except
// with --fresh. --seconds N spends about so much time of tests on a defect; --campaigns tries those that survive with a minute each
// of simulation and fuzzing. --file takes a glob of sources, --tests one of test files; --list only names the defects.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { fail, prepare } from '../scripts/prepare.mjs'
import { mutate } from './mutate/run.mjs'

const text = (value) => ({ type: 'string', default: value })

try {
  const { values } = parseArgs({
    options: {
      defects: text('200'),
      seed: text('sandbank'),
      seconds: text('3600'),
      file: text('**'),
      tests: text('**'),
      workers: text(String(availableParallelism())),
      fresh: { type: 'boolean', default: false },
      campaigns: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  })
  for (const name of ['defects', 'workers', 'seconds'])
    if (!/^[1-9]\d*$/.test(values[name])) fail(`--${name}: a whole number is expected, ${values[name]} was found`)
  prepare()
  const [defects, workers, seconds] = [values.defects, values.workers, values.seconds].map(Number)
  await mutate({ ...values, defects, workers, seconds })
} catch (error) {
  fail(error.message)
}
