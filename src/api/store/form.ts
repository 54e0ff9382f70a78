// Written by npm run openapi: a digest of the schemas of all that is stored.
export const STORED_FORM = '339ebb60'
