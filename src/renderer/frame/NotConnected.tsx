import { useState } from 'react'
import type { ErrorBody } from '../../api/contract/error-body.ts'
import { saveKey } from '../data/http-bridge.ts'
import { submitting } from '../data/sandbox.ts'
import { shownWorld } from '../data/world-address.ts'
import { placeAddress, worldLabel } from '../data/worlds.ts'
import { Button } from '../ui/Button.tsx'
import { TextInput } from '../ui/Field.tsx'
import { Row } from '../ui/Layout.tsx'
import styles from './NotConnected.module.css'

/** Shown instead of the window: why it cannot connect, and how to fix it. `silent`: the sandbox never answered. */
export function SignIn({ refusal }: { refusal: ErrorBody | 'silent' | null }) {
  const { title, cause } = describeRefusal(refusal)
  return (
    <main className={styles.page}>
      <div className={styles.content} data-sign-in>
        <h1>{title}</h1>
        <p>{cause}</p>
        <ol>
          <li>
            In the terminal where the sandbox runs, find the line <code>Window</code> with an address that ends in{' '}
            <code>#key=…</code>
          </li>
          <li>Open that whole address here. The window reads the key and removes it from the address.</li>
        </ol>
        {refusal === 'silent' ? <p className="soft">This page retries automatically.</p> : <KeyForm />}
        <p className="meta">
          The key is stored for this tab and those opened from it, until they close. Each start of the sandbox creates a
          new key unless <code>SANDBANK_CONTROL_KEY</code> sets one.
        </p>
      </div>
    </main>
  )
}

function describeRefusal(refusal: ErrorBody | 'silent' | null) {
  if (refusal === null)
    return { title: 'This window needs its key', cause: 'Neither the address nor this tab has one.' }
  if (refusal === 'silent')
    return { title: 'The sandbox does not answer', cause: 'It may have been stopped, or it runs on another port.' }
  const [first] = refusal.errors
  const error = first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : `status ${refusal.status}`
  return refusal.status === 401
    ? { title: 'The key is not valid', cause: `It is from an earlier start of the sandbox, or incomplete. (${error})` }
    : { title: 'The sandbox refused the connection', cause: error }
}

function KeyForm() {
  const [text, setText] = useState('')
  const submit = () => {
    const key = /#key=([^&/?\s]+)/.exec(text)?.[1] ?? text.trim()
    if (key === '') return
    saveKey(window, key)
    location.reload()
  }
  return (
    <Row as="form" gap={8} align="stretch" style={{ margin: '12px 0' }} onSubmit={submitting(submit)}>
      <label className="grow">
        <TextInput
          style={{ width: '100%' }}
          before={<span className="nowrap">Or paste the key here</span>}
          mono
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" primary>
        Open
      </Button>
    </Row>
  )
}

/** Shown instead of the window if its world does not exist. */
export function WorldGone() {
  const name = worldLabel(shownWorld())
  return (
    <main className={styles.page}>
      <div className={styles.content} data-world-gone>
        <h1>There is no world “{name}”</h1>
        <p>
          It was dropped, or the sandbox was stopped: named worlds are in memory and end with it. The root world is not
          affected.
        </p>
        <p className="row">
          <Button primary onClick={() => location.assign(placeAddress(null, { screen: 'now' }))}>
            Open the root world
          </Button>
          <Button onClick={() => location.assign(placeAddress(null, { screen: 'now', params: { line: ['worlds'] } }))}>
            See all worlds
          </Button>
          <Button onClick={() => location.reload()}>Retry</Button>
        </p>
      </div>
    </main>
  )
}
