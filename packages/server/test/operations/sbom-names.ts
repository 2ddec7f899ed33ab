/** `name@version` of every package in a bill of materials or in a lock file, sorted, each once. */
type Listed = {
  readonly components?: readonly { readonly name: string; readonly version: string }[]
  readonly packages?: Readonly<Record<string, { readonly version?: string }>>
}

export const namesIn = ({ components = [], packages = {} }: Listed): string[] => {
  const places = Object.entries(packages).filter(([place]) => place !== '')
  const names = [
    ...components.map(({ name, version }) => `${name}@${version}`),
    ...places.map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`),
  ]
  return [...new Set(names)].sort()
}
