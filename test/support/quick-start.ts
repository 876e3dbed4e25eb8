/**
 * The environment of a node that lives for minutes: Java's thorough compiler would spend more of the processors than
 * its code saves. What whoever runs the tests has set for Java has the last word.
 */
export function withQuickStart(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const options = ['-XX:TieredStopAtLevel=1', env.ES_JAVA_OPTS ?? '']
  return { ...env, ES_JAVA_OPTS: options.join(' ').trim() }
}
