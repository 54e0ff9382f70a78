import { shortcutsAction } from '../actions/window.ts'
import { useShortcutsShown } from '../data/shortcuts-shown.ts'
import { Dialog } from '../ui/Dialog.tsx'
import styles from './ShortcutsDialog.module.css'
import { shortcuts } from './shortcuts.ts'

export function ShortcutsDialog() {
  const { shown } = useShortcutsShown()
  return (
    <Dialog
      title={shortcutsAction.title}
      open={shown}
      onOpenChange={(isOpen) => useShortcutsShown.setState({ shown: isOpen })}
    >
      <div className={styles.groups}>
        {shortcuts.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, action]) => (
                <div key={action}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd className="soft">{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
