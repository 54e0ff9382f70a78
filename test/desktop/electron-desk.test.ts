import { describe, it } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { testDeskJourneys } from './desk-journeys.ts'
import { electron, startApp } from './electron-app.ts'

if (!electron) it.skip('what the desktop does with the app: skipped, npm run test:electron runs it', () => {})
else
  describe('in a real Electron', () => {
    testDeskJourneys({ folder: createTemporaryFolder, start: startApp }, 120_000)
  })
