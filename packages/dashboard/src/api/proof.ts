/**
 * The proof of the person, which some calls need (docs/decisions/0084). A call that is refused without one waits here until the user
 * has given it, and is then made again; no screen knows of it. Several calls that wait share one dialog.
 */

/** Set by the frame: asks the user. True: the proof was given. */
let ask: () => Promise<boolean> = async () => false
export const setProofAsker = (asker: () => Promise<boolean>): void => {
  ask = asker
}

let asking: Promise<boolean> | undefined

export const askForProof = (): Promise<boolean> => {
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
