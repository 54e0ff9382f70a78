/** A text field with suggestions, styled by its users. */
export { Autocomplete } from '@base-ui/react/autocomplete'
