package dev.verbena.soft.sim;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.util.List;

/**
 * A replacement for the body of a method of the device.
 *
 * @param className the class, from below {@link #PACKAGE}
 * @param method its only method of this name
 * @param body transforms the body
 */
record Mutation(String className, String method, CodeTransform body) {
  /** The package whose classes can be changed. */
  static final String PACKAGE = "dev.verbena.soft.";

  /** Full name of the class. */
  String fullName() {
    return PACKAGE + className;
  }

  /**
   * The class with the change.
   *
   * @param bytes the original class
   * @throws IllegalStateException unless it has exactly one method of this name with a body
   */
  byte[] apply(byte[] bytes) {
    ClassFile format =
        ClassFile.of(
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(Mutation.class.getClassLoader())));
    ClassModel model = format.parse(bytes);
    List<MethodModel> methods =
        model.methods().stream()
            .filter(m -> m.methodName().equalsString(method) && m.code().isPresent())
            .toList();
    if (methods.size() != 1) {
      throw new IllegalStateException(
          fullName() + " has " + methods.size() + " methods named " + method + ", not 1");
    }
    return format.transformClass(
        model, ClassTransform.transformingMethodBodies(methods.getFirst()::equals, body));
  }
}
