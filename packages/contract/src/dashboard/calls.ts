/** Every call by its name, for those who need its types: the name of each export is the id of its operation. */
export * from './session.ts'
export * from './webhooks.ts'
