import { Dialog } from '../ui/Dialog.tsx'
import styles from './ShortcutsDialog.module.css'
import { shortcuts } from './shortcuts.ts'

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog title="Keys" open={open} onOpenChange={onOpenChange}>
      <div className={styles.groups}>
        {shortcuts.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([strokes, does]) => (
                <div key={does}>
                  <dt>
                    {strokes.map((stroke) => (
                      <kbd key={stroke}>{stroke}</kbd>
                    ))}
                  </dt>
                  <dd className="soft">{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
