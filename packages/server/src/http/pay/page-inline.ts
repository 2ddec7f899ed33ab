/** The script and the style of the buyer's page, sent inside it, so that the page needs no second request. */
import { minifiedScript } from '../minify/minify-script.ts'
import { minifiedStyle } from '../minify/minify-style.ts'

export const script = minifiedScript(new URL('./browser/page-script.ts', import.meta.url), 'es5')
export const style = minifiedStyle(new URL('./browser/page-style.css', import.meta.url))
