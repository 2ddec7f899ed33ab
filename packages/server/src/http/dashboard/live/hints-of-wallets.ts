/**
 * The hints of a member who was given some wallets, or sees today only: those about objects of these wallets and of today, in their order. Whose an object is, is
 * read when the hint arrives, with the wallets that the member has then: so no hint of a wallet that was taken away is sent. Hints of
 * other kinds have no id for such a member. Of a member with all wallets every hint passes at once.
 */
import type { Hint, Listener } from '../../../accounts/live/live-hub.ts'
import type { ObjectKind } from '../../../accounts/people/visible-kinds.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { objectsOfWallets } from '../../../views/hints/hinted-objects-sql.ts'

const kindsOfWallets: ReadonlySet<ObjectKind> = new Set(['intent', 'alert', 'checkout', 'payment_link', 'wallet'])
/** More than this, and the client loads everything again. */
const mostWaiting = 1_000
const isId = (text: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)

/** Only its position counts: there is nothing to tell. */
const hidden = (hint: Hint): Hint => ({ ...hint, kind: null, objectId: '' })

const isLimited = ({ wallets, today }: Scope): boolean => wallets !== null || today !== null

export type HintsOfWallets = Listener & { stop(): void }

export const hintsOfWallets = (deps: {
  readonly db: Session
  /** Who listens. A change of their own membership makes everything that the client shows doubtful, also one that it missed. */
  readonly userId: string
  /** Read for every batch: the wallets of a member may change while the stream is open. */
  readonly scope: () => Scope
  /** Reads the member again; called for a hint that says that a member was changed, before anything that follows it is sent. */
  readonly refresh: () => Promise<unknown>
  readonly to: Listener
}): HintsOfWallets => {
  const { to } = deps
  let waiting: Hint[] = []
  let running = false
  let stopped = false

  const pass = async (hints: readonly Hint[]): Promise<void> => {
    if (hints.some(({ kind }) => kind === 'member')) await deps.refresh()
    const scope = deps.scope()
    const limited = isLimited(scope)
    const asked = hints.filter(({ kind, objectId }) => kind !== null && kindsOfWallets.has(kind) && isId(objectId))
    const found =
      limited && asked.length > 0
        ? await objectsOfWallets(deps.db, scope, [...new Set(asked.map(({ objectId }) => objectId))])
        : []
    const own = new Set(found.map(({ kind, id }) => `${kind} ${id}`))
    // The wallets may have changed while the objects were read: nothing of this batch is sent by the old ones.
    const scopeNow = deps.scope()
    if (scopeNow.wallets !== scope.wallets || isLimited(scopeNow) !== limited) return pass(hints)
    if (stopped) return
    for (const hint of hints) {
      if (hint.kind === 'member' && hint.objectId === deps.userId) to.reset(hint.id)
      else if (!limited || hint.kind === null) to.hint(hint)
      else if (!kindsOfWallets.has(hint.kind)) to.hint({ ...hint, objectId: '' })
      else to.hint(own.has(`${hint.kind} ${hint.objectId}`) ? hint : hidden(hint))
    }
  }

  const run = async (): Promise<void> => {
    running = true
    while (waiting.length > 0 && !stopped) {
      const hints = waiting
      waiting = []
      // A fault of the service: the client loads everything again, by calls that are checked.
      await pass(hints).catch(() => to.reset(hints.at(-1)!.id))
    }
    running = false
  }

  return {
    hint(hint) {
      if (!running && !isLimited(deps.scope()) && hint.kind !== 'member') return to.hint(hint)
      if (waiting.length >= mostWaiting) {
        waiting = []
        return to.reset(hint.id)
      }
      waiting.push(hint)
      if (!running) void run()
    },
    reset(id) {
      waiting = []
      to.reset(id)
    },
    stop() {
      stopped = true
      waiting = []
    },
  }
}
