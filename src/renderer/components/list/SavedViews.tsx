import { Bookmark, X } from 'lucide-react'
import { useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { submitting } from '../../data/use-action.ts'
import { Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { layoutKey, sortEntries } from '../../ui/column-layout.ts'
import { TextInput } from '../../ui/Field.tsx'
import { Popover, PopoverForm, PopoverText } from '../../ui/Popover.tsx'
import { Text } from '../../ui/Text.tsx'
import { type SavedView, useListPreferences } from './list-preferences.ts'

const MAX_NAME = 60

/** Filters, sort order and columns of a list under a name, in this browser. */
export function SavedViews({ list }: { readonly list: string }) {
  const { views, layout, change } = useListPreferences(list)
  const { params, adjust } = useRoute()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { program, ...shown } = params
  const key = viewKey({ params: shown, layout })
  const current = views.find((view) => viewKey(view) === key)
  const save = () => {
    const saved = { name: name.trim(), params: shown, layout }
    if (saved.name === '') return
    change({ views: [...views.filter((view) => view.name !== saved.name), saved] })
    setName('')
    setOpen(false)
  }
  return (
    <Popover
      trigger={
        <Button icon={Bookmark} small bare>
          <span className="cut">View: {current ? <Text>{current.name}</Text> : 'default'}</span>
        </Button>
      }
      title="Saved views"
      side="top"
      align="end"
      open={open}
      onOpenChange={setOpen}
    >
      <PopoverForm onSubmit={submitting(save)}>
        {views.length === 0 ? (
          <PopoverText>A view is the filters, the sort order and the columns of this list.</PopoverText>
        ) : (
          <Stack as="ul" gap={2} scroll style={{ maxHeight: 240 }}>
            {views.map((view) => (
              <li key={view.name} className="row">
                <Button
                  bare
                  className="grow"
                  style={{ justifyContent: 'flex-start' }}
                  aria-current={view === current}
                  onClick={() => {
                    change({ layout: view.layout })
                    adjust({ params: { ...(program ? { program } : {}), ...view.params } })
                    setOpen(false)
                  }}
                >
                  <Text className="cut">{view.name}</Text>
                </Button>
                <Button
                  bare
                  iconOnly
                  small
                  aria-label={`Delete the view ${view.name}`}
                  onClick={() => change({ views: views.filter((other) => other !== view) })}
                >
                  <X size={13} aria-hidden="true" />
                </Button>
              </li>
            ))}
          </Stack>
        )}
        <span className="row">
          <TextInput
            className="grow"
            aria-label="Name of the view"
            placeholder="name"
            maxLength={MAX_NAME}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit" aria-disabled={name.trim() === ''}>
            Save view
          </Button>
        </span>
      </PopoverForm>
    </Popover>
  )
}

const viewKey = ({ params, layout }: Pick<SavedView, 'params' | 'layout'>) =>
  JSON.stringify([sortEntries(params), layoutKey(layout)])
