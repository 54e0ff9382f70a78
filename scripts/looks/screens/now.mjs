import { click, selectTab } from '../actions.mjs'

const open = click(/^Connect/)

export const states = [
  ['now', '#/now'],
  ['connect', '#/now', open],
  ['connect-ts', '#/now', open, selectTab('TypeScript')],
  ['connect-py', '#/now', open, selectTab('Python')],
  ['connect-java', '#/now', open, selectTab('Java')],
]
