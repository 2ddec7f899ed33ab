/** Downloads a file that needs a proof of the person. The browser follows its address, so a refusal could not be shown. */
import { call } from './call.ts'
import { askForProof } from './proof.ts'

export const downloadWithProof = async (url: string): Promise<void> => {
  const { proved_until } = await call('showProof')
  if (proved_until === null && !(await askForProof())) return
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
