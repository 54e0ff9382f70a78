import { useCallback, useEffect, useState } from 'react'
import { ClockBar } from './frame/ClockBar.tsx'
import { ClosedDoor } from './frame/ClosedDoor.tsx'
import { KeySheet } from './frame/KeySheet.tsx'
import { LostConnection } from './frame/LostConnection.tsx'
import { Navigation } from './frame/Navigation.tsx'
import { ProgramSwitch } from './frame/ProgramSwitch.tsx'
import { StatusBar } from './frame/StatusBar.tsx'
import { Strip } from './frame/Strip.tsx'
import { Connect } from './screens/connect/Connect.tsx'
import { Customers } from './screens/customers/Customers.tsx'
import { Faults } from './screens/faults/Faults.tsx'
import { Requests } from './screens/requests/Requests.tsx'
import { Scenarios } from './screens/scenarios/Scenarios.tsx'
import { UnknownPlace } from './screens/UnknownPlace.tsx'
import { useFeed } from './stores/feed.ts'
import { type Screen, useView } from './stores/view.ts'
import { useKeys } from './use-keys.ts'

const drawn: Readonly<Record<Screen, React.ComponentType>> = {
  connect: Connect,
  requests: Requests,
  customers: Customers,
  scenarios: Scenarios,
  faults: Faults,
}
const names: Readonly<Record<Screen, string>> = {
  connect: 'Connect',
  requests: 'Requests',
  customers: 'Customers',
  scenarios: 'Scenarios',
  faults: 'Faults',
}

export function App({ keyed }: { keyed: boolean }) {
  const connection = useFeed((feed) => feed.connection)
  const known = useFeed((feed) => feed.world !== null)
  if (!keyed) return <ClosedDoor refusal={null} />
  if (connection === 'refused') return <Refused />
  if (!known && connection === 'lost') return <ClosedDoor refusal="silent" />
  return <Window />
}

function Refused() {
  const refusal = useFeed((feed) => feed.refusal)
  return <ClosedDoor refusal={refusal ?? 'silent'} />
}

function Window() {
  const screen = useView((view) => view.screen)
  const record = useView((view) => view.record)
  const [keysShown, setKeysShown] = useState(false)
  const [said, setSaid] = useState('')
  const showKeys = useCallback(() => setKeysShown(true), [])
  useKeys({ showKeys, said: setSaid })

  useEffect(() => {
    document.title = ['Sandbank', screen && names[screen], record].filter(Boolean).join(' · ')
    setSaid('')
  }, [screen, record])

  const Drawn = screen === null ? UnknownPlace : drawn[screen]
  return (
    <div className="window">
      <ProgramSwitch />
      <ClockBar />
      <Navigation showKeys={showKeys} />
      <Strip />
      <LostConnection />
      <main className="main" tabIndex={-1}>
        <Drawn />
      </main>
      <StatusBar said={said} />
      <KeySheet open={keysShown} onOpenChange={setKeysShown} />
    </div>
  )
}
