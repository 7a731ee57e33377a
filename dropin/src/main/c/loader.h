/* loader.c: finds classes through JNI. */
#ifndef VERBENA_LOADER_H
#define VERBENA_LOADER_H

#include <jni.h>

/*
 * Our first class to enter, even in a Java program that knows nothing of us; or NULL, with an
 * exception.
 */
jclass verbena_entry(JNIEnv *env, int is_java_program);

#endif
