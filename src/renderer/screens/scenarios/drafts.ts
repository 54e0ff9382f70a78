import { create } from 'zustand'

/** Unsaved text by scenario name. It is kept while other scenarios and screens are shown. */
export const useDrafts = create<{ readonly texts: Readonly<Record<string, string>> }>()(() => ({ texts: {} }))

export const setDraft = (name: string, text: string | null) =>
  useDrafts.setState(({ texts: { [name]: _, ...others } }) => ({
    texts: text === null ? others : { ...others, [name]: text },
  }))
