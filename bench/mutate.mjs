// npm run mutate -- --defects 200 --seed S: plants single defects in src/api, each in turn, and lists those that no test notices. The same
// seed plants the same defects. --file takes a glob of sources, --tests one of test files; --list only names the defects.
import { parseArgs } from 'node:util'
import { fail, prepare } from '../scripts/prepare.mjs'
import { mutate } from './mutate/run.mjs'

const text = (value) => ({ type: 'string', default: value })

try {
  const { values } = parseArgs({
    options: {
      defects: text('200'),
      seed: text('sandbank'),
      file: text('**'),
      tests: text('**'),
      jobs: text('2'),
      list: { type: 'boolean', default: false },
    },
  })
  for (const name of ['defects', 'jobs'])
    if (!/^[1-9]\d*$/.test(values[name])) fail(`--${name}: a whole number is expected, ${values[name]} was found`)
  prepare()
  await mutate({ ...values, defects: Number(values.defects), jobs: Number(values.jobs) })
} catch (error) {
  fail(error.message)
}
