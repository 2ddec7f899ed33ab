/** A QR code as an SVG picture that phones can read from a screen and from paper. Pure. */
import { renderSVG } from 'uqr'

export const qrSvg = (text: string): string => renderSVG(text, { ecc: 'M', border: 2 })
