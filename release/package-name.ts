/**
 * The name of the package. No public registry has a package of ours: until one does, no command and no page may make npm look
 * for this name there. It is installed from a file.
 */
export const packageName = 'sanad'
