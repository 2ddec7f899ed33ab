/** The Android packages of a provider's app, one after the other. */
import { TagsInput } from './lazy-overlays.tsx'

type Given = {
  label: string
  description: string
  value: string[]
  onChange: (names: string[]) => void
  error: string | undefined
}

export const PackageNames = (given: Given) => (
  <TagsInput
    placeholder="com.example.wallet"
    dir="ltr"
    maxTags={20}
    acceptValueOnBlur
    dropdownOpened={false}
    {...given}
  />
)
