import { shownWorld } from '../data/world-address.ts'
import { placeAddress, worldLabel } from '../data/worlds.ts'
import { Button } from '../ui/Button.tsx'
import styles from './SignIn.module.css'

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
          <Button primary onClick={() => location.assign(placeAddress(null, { screen: 'connect' }))}>
            Open the root world
          </Button>
          <Button onClick={() => location.assign(placeAddress(null, { screen: 'worlds' }))}>See all worlds</Button>
          <Button onClick={() => location.reload()}>Retry</Button>
        </p>
      </div>
    </main>
  )
}
