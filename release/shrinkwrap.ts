/**
 * The versions that `npm ci` installs in the unpacked package: those of this repository's package-lock.json, with which the tests
 * ran. `npm install FILE` in another folder does not read them: npm takes newer versions there, where the packages allow it.
 */
type Locked = {
  readonly version?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> }

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** Where `from` finds the package: in its own node_modules, or in those of the folders above. */
const placeOf = (lock: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (place in lock.packages) return place
    if (folder === '') return undefined
  }
}

/** The places of everything that the packages need. A peer that is not installed is one that is optional. */
const placesNeeded = (lock: Lock, manifest: Manifest): Set<string> => {
  const found = new Set<string>()
  const visit = (from: string, locked: Locked): void => {
    const { dependencies, optionalDependencies, peerDependencies } = locked
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = placeOf(lock, from, name)
      if (place === undefined && dependencies?.[name] !== undefined && optionalDependencies?.[name] === undefined)
        throw new Error(`package-lock.json has no ${name}, which ${from || manifest.name} needs.`)
      if (place === undefined || found.has(place)) continue
      found.add(place)
      visit(place, lock.packages[place]!)
    }
  }
  visit('', manifest)
  return found
}

export const shrinkwrapOf = (lock: Lock, manifest: Manifest): object => {
  const { name, version } = manifest
  const places = [...placesNeeded(lock, manifest)].sort()
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: {
      '': manifest,
      ...Object.fromEntries(
        places.map((place) => {
          const { dev: _, ...locked } = lock.packages[place]!
          return [place, locked]
        }),
      ),
    },
  }
}
