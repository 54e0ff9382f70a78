/** A text field with suggestions; its parts are styled where it is used. */
export { Autocomplete } from '@base-ui/react/autocomplete'
