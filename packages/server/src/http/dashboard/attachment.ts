/**
 * The header that names a file for a browser (RFC 6266): the whole name in UTF-8, and before it one of ASCII for programs that read
 * no other.
 */
import { fileNameOf } from '@sanad/contract/dashboard/file-name'

/** `base`: of ASCII, without its ending. `wallets`: the names of the wallets that the file is of; null: all. */
export const attachment = (base: string, ending: string, wallets: readonly string[] | null): string => {
  const name = fileNameOf(base, wallets)
  if (name === base) return `attachment; filename="${base}.${ending}"`
  return `attachment; filename="${base}-some-wallets.${ending}"; filename*=UTF-8''${encodeURIComponent(`${name}.${ending}`)}`
}
