/** Loaded before a test (`node --import`): gives one source file with a change in it. The file itself stays as it is. */
import { registerHooks } from 'node:module'
import { applyChange, type Change } from './apply-change.ts'

const { url, change } = JSON.parse(process.env.SANAD_CHANGED_SOURCE!) as { url: string; change: Change }

registerHooks({
  load: (loaded, context, nextLoad) => {
    const result = nextLoad(loaded, context)
    return loaded === url ? { ...result, source: applyChange(String(result.source), change) } : result
  },
})
