/** A field for the Android packages of a provider's app. */
import { TagsInput } from './lazy-overlays.tsx'

type Props = {
  label: string
  description: string
  value: string[]
  onChange: (names: string[]) => void
  error: string | undefined
}

export const PackageNames = (props: Props) => (
  <TagsInput
    placeholder="com.example.wallet"
    dir="ltr"
    maxTags={20}
    acceptValueOnBlur
    dropdownOpened={false}
    {...props}
  />
)
