import { useState } from 'react'
import type { ErrorBody } from '../../api/contract/error-body.ts'
import { saveKey } from '../data/http-bridge.ts'
import { Button } from '../ui/Button.tsx'
import { TextInput } from '../ui/Field.tsx'
import styles from './SignIn.module.css'

/** Instead of the window: what is wrong, and what to do. `silent` is a sandbox that never answered. */
export function SignIn({ refusal }: { refusal: ErrorBody | 'silent' | null }) {
  const { title, cause } = describeRefusal(refusal)
  return (
    <main className={styles.page}>
      <div className={styles.content} data-sign-in>
        <h1>{title}</h1>
        <p>{cause}</p>
        <ol>
          <li>
            Look at the terminal where the sandbox runs. It printed a line <code>Window</code> with an address that ends
            in <code>#key=…</code>
          </li>
          <li>Open that whole address here; the window takes the key out of it at once.</li>
        </ol>
        {refusal === 'silent' ? <p className="soft">This page tries again by itself.</p> : <KeyForm />}
        <p className="meta">
          The key lives in this tab alone and is gone when the tab closes. Every start of the sandbox makes a new one,
          unless it is given one in <code>SANDBANK_CONTROL_KEY</code>.
        </p>
      </div>
    </main>
  )
}

function describeRefusal(refusal: ErrorBody | 'silent' | null) {
  if (refusal === null)
    return { title: 'This window needs its key', cause: 'The address you opened carries none, and this tab has none.' }
  if (refusal === 'silent')
    return { title: 'The sandbox does not answer', cause: 'It may have been stopped, or it runs on another port.' }
  const [first] = refusal.errors
  const said = first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : `status ${refusal.status}`
  return refusal.status === 401
    ? { title: 'The key does not open this sandbox', cause: `It belongs to another start of it, or was cut. (${said})` }
    : { title: 'The sandbox does not let this page in', cause: said }
}

function KeyForm() {
  const [text, setText] = useState('')
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const key = /#key=([^&/?\s]+)/.exec(text)?.[1] ?? text.trim()
    if (key === '') return
    saveKey(window, key)
    location.reload()
  }
  return (
    <form onSubmit={submit}>
      <label className={styles.key}>
        <TextInput
          before={<span className="nowrap">Or paste it here</span>}
          mono
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" primary>
        Open
      </Button>
    </form>
  )
}
