# question: 4
# claim: conflicts with other libraries corrupt memory and segfault
# really: two copies of one OpenMP runtime find each other, and the second aborts
# expect: openmp-conflict proven
# ends: SIGABRT
# fix: share one OpenMP runtime
# says: Error #15
# on: tensorflow tensorflow-py313 tensorflow-2.11-py39
# build: python -m pip download --quiet --no-deps --dest wheel intel-openmp==2021.4.0
# build: sh -c 'python -m zipfile -e wheel/*.whl wheel; find wheel -name libiomp5.so -exec cp {} . ";"; rm -r wheel'
# build: sh -c 'sed "s/libiomp5[.]so/libiompb.so/g" libiomp5.so > libiompb.so'
# build: gcc -g -O1 -w -fopenmp -DNAME=scaled_sum -c -fPIC numerics.c -o scaling.o
# build: gcc -g -O1 -w -fopenmp -DNAME=feature_sum -c -fPIC numerics.c -o features.o
# build: gcc -shared scaling.o -o scaling.so -L. -l:libiomp5.so -Wl,-rpath,$ORIGIN
# build: gcc -shared features.o -o features.so -L. -l:libiompb.so -Wl,-rpath,$ORIGIN
# build: gcc -shared features.o -o features_repaired.so -L. -l:libiomp5.so -Wl,-rpath,$ORIGIN
#
# As wheels do it: the copy of the second package has a name of its own, so that the loader takes both.
import ctypes

import numpy as np

images = np.ones((1000, 784), np.float32)
scaling = ctypes.CDLL("./scaling.so")
print(scaling.scaled_sum(ctypes.c_void_p(images.ctypes.data), images.size))
features = ctypes.CDLL("./features.so")
print(features.feature_sum(ctypes.c_void_p(images.ctypes.data), images.size))  # here
