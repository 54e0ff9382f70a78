import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { keys } from './keys.ts'

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop over" />
        <Dialog.Popup className="raised pop sheet keysheet over">
          <header>
            <Dialog.Title>Keys</Dialog.Title>
            <Dialog.Close className="btn end" data-bare data-icon data-small aria-label="Close">
              <X size={13} aria-hidden="true" />
            </Dialog.Close>
          </header>
          <div className="keygroups">
            {keys.map((group) => (
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
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
