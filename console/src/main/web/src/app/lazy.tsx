import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorState, Loading } from '../ui/states';

/** Loads the code of a part of the application when it is shown for the first time. */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, update] = useState(0);
    const [error, setError] = useState<Error>();
    useEffect(() => {
      if (!loaded) {
        load().then(
          (module) => {
            loaded = module.default;
            update(1);
          },
          () => setError(new Error('A part of the application could not be loaded. After an update of the console, reload the page.')),
        );
      }
    }, []);
    if (error) {
      return <ErrorState error={error} retry={() => window.location.reload()} />;
    }
    const Component = loaded;
    return Component ? <Component {...props} /> : <div class="page"><Loading what="the page" /></div>;
  };
}
