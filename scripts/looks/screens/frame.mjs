import { clickAt, findText, openPalette, press, waitForText } from '../actions.mjs'

export const states = [
  ['palette', '#/customers', openPalette()],
  ['palette-found', '#/customers', openPalette('bakery'), waitForText(/Search requests/)],
  ['palette-code', '#/customers', openPalette('3006'), waitForText(/Search requests/)],
  ['palette-time', '#/customers', openPalette('advance 3 business days'), waitForText('Advance 3 business days')],
  ['palette-try', '#/customers', openPalette('1 business day'), press('Control+Enter'), waitForText('Balances')],
  ['palette-here', '#/transactions/$unauthorized', openPalette(), waitForText('This Transaction')],
  ['palette-nothing', '#/customers', openPalette('zzzzqqq'), waitForText(/Search requests/)],
  ['palette-undo', '#/customers', openPalette('undo'), waitForText('Undo the last change')],
  ['find', '#/customers', findText('active', 13, 3)],
  ['find-nothing', '#/accounts', findText('zzzzqqq', 1, 1)],
  ['keys', '#/customers', press('?')],
  ['programs', '#/customers', clickAt('button:has-text("Switch Program.")')],
  ['unknown-place', '#/nowhere'],
]
