import { click, clickAt, fill, select, waitForText } from '../actions.mjs'

export const states = [
  ['time', '#/time'],
  ['time-task', '#/time', clickAt('[data-row]', 1)],
  ['time-held', '#/time', clickAt('[data-row]', 1), click('Hold'), waitForText('advances skip it')],
  ['time-released', '#/time', clickAt('[data-row]', 1), click('Release'), waitForText('is released')],
  ['time-preview', '#/time', select('Advance by', 'business_days'), click('Preview')],
  ['time-preview-idle', '#/time', select('Advance by', 'idle'), click('Preview')],
  ['time-moment', '#/time', select('Advance by', 'moment')],
  ['time-wrong', '#/time', fill('Duration', 'soon')],
  ['time-recurring', '#/time?recurring=shown'],
  ['time-custom', '#/time', clickAt('[role=group][aria-label=Advance] button', 3)],
  ['time-pace', '#/time', click(/^Pace/)],
]
