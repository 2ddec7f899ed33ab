/** Shares a link from this browser: by the phone's own menu, or by WhatsApp. */

export const canShare = (): boolean => typeof navigator.share === 'function'

/** Opens the phone's own menu. It is no error if the user cancels. */
export const share = (text: string, url: string): void => void navigator.share({ text, url }).catch(() => {})

/** The address that opens WhatsApp with the text and the link. */
export const whatsappAddress = (text: string, url: string): string =>
  `https://wa.me/?text=${encodeURIComponent(`${text}\n${url}`)}`
