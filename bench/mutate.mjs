// npm run mutate -- --defects 200 --seed S --workers 2: plants single defects in src/api, each in turn, and lists those that no test
// notices. The same seed plants the same defects. What was noticed stays in out/mutate/results.jsonl and is not tried again, except
// with --fresh. --seconds N spends about so much time of tests on a defect. --file takes a glob of sources, --tests one of test files; --list only names the defects.
import { availableParallelism } from 'node:os'
import { fail, prepare } from '../scripts/prepare.mjs'
import { mutate } from './mutate/run.mjs'
import { readOptions } from './support/command.mjs'

const choice = { defects: 200, seed: 'sandbank', file: '**', tests: '**' }
const trials = { seconds: 3600, workers: availableParallelism(), fresh: false, list: false }
const options = readOptions({ ...choice, ...trials })
prepare()
await mutate(options).catch((error) => fail(error.message))
