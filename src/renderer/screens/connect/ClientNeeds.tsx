import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { findPlatformClient, needsOf } from '../../../api/contract/platform-clients.ts'
import type { Program } from '../../../api/contract/resources/programs.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Note } from '../../ui/Notice.tsx'
import { Prose } from '../../ui/Prose.tsx'

/** What the newest of the platform's own clients needs of the Program, if one has called. */
export function ClientNeeds({ exchanges, program }: { exchanges: readonly Exchange[]; program: Program }) {
  const client = exchanges.map(findPlatformClient).find((found) => found !== undefined)
  if (!client) return null
  const { name, does, setting } = client
  return (
    <Note>
      The caller is the platform’s <b>{name}</b>. Its way: <Prose>{does}</Prose>. It needs{' '}
      <Prose>{needsOf(client)}</Prose>
      {setting && (
        <>
          , which is {program[setting] ? 'on' : 'off'}: <ScreenLink screen="settings">Program settings</ScreenLink>
        </>
      )}
    </Note>
  )
}
