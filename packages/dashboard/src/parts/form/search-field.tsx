/** A field that searches a list a moment after the user has stopped typing. The searched text is in the page's address. */
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { bindText } from './bind.ts'

const pause_ms = 250

export const SearchField = (props: {
  label: string
  /** What is searched for now. */
  searched: string
  search: (text: string) => void
  className?: string | undefined
}) => {
  const { label, searched, search } = props
  const [text, setText] = useState(searched)
  const [debounced] = useDebouncedValue(text, pause_ms)
  useEffect(() => setText(searched), [searched])
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing starts a search, a change of the address does not
  useEffect(() => {
    if (debounced.trim() !== searched) search(debounced.trim())
  }, [debounced])
  return (
    <TextInput className={props.className ?? ''} aria-label={label} placeholder={label} {...bindText(text, setText)} />
  )
}
