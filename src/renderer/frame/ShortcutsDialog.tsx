import { shortcutsAction } from '../actions/window.ts'
import { useShortcutsShown } from '../data/overlays.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Row, Stack } from '../ui/Layout.tsx'
import { shortcuts } from './shortcuts.ts'

export function ShortcutsDialog() {
  const { shown } = useShortcutsShown()
  return (
    <Dialog
      title={shortcutsAction.title}
      open={shown}
      onOpenChange={(isOpen) => useShortcutsShown.setState({ shown: isOpen })}
    >
      <div style={{ columns: '2 320px', columnGap: 24, padding: '0 12px 12px' }}>
        {shortcuts.map((group) => (
          <section key={group.title} style={{ breakInside: 'avoid' }}>
            <h3 className="meta" style={{ padding: '12px 0 4px', fontWeight: 500 }}>
              {group.title}
            </h3>
            <dl>
              {group.keys.map(([keys, action]) => (
                <Stack key={action} columns="88px minmax(0, 1fr)" pad="2 0" line="bottom" text="data">
                  <Row as="dt" gap={4} align="start">
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </Row>
                  <dd className="soft">{action}</dd>
                </Stack>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
