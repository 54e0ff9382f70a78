import { create } from 'zustand'

/** Text that was typed and not saved yet, by the name of its scenario: it survives looking elsewhere. */
export const useDrafts = create<{ readonly texts: Readonly<Record<string, string>> }>()(() => ({ texts: {} }))

export const setDraft = (name: string, text: string | null) =>
  useDrafts.setState(({ texts: { [name]: _, ...others } }) => ({
    texts: text === null ? others : { ...others, [name]: text },
  }))
