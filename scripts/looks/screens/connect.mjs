import { selectTab } from '../actions.mjs'

export const states = [
  ['connect', '#/connect'],
  ['connect-ts', '#/connect', selectTab('TypeScript')],
  ['connect-py', '#/connect', selectTab('Python')],
  ['connect-java', '#/connect', selectTab('Java')],
]
