import { create } from 'zustand'

/** The action whose form is open on the page of a record: its buttons and the palette open it. */
export const useRecordAction = create<{ readonly opened: string | null }>()(() => ({ opened: null }))

export const openRecordAction = (id: string) => useRecordAction.setState({ opened: id })
export const closeRecordAction = () => useRecordAction.setState({ opened: null })
